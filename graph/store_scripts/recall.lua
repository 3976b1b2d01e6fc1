-- Every item of the one namespace ARGV[4], in insert order, packed.
local parts = {}
pack_items(parts, ARGV[4], redis.call('ZRANGE', P .. ':o:' .. ARGV[4], 0, -1), false)
return table.concat(parts)
