// Files of other libraries beside this page: none, unless scripts/site puts some there and their names here.
export const PEERS = {};
