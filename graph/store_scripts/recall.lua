-- Every item of the one namespace ARGV[4], in insert order, packed.
pack_items(ARGV[4], redis.call('ZRANGE', P .. ':o:' .. ARGV[4], 0, -1), false)
return {packed()}
