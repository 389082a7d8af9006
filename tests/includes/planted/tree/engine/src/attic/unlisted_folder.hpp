// A folder that the table does not have.
