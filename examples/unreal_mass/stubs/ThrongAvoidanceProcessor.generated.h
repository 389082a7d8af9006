// What Unreal Header Tool generates: nothing is needed of it here.
#pragma once
