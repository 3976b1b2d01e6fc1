-- Every namespace below the prefix ARGV[4], unordered.
if ARGV[4] == '' then return redis.call('ZRANGE', P .. ':ns', 0, -1) end
return redis.call('ZRANGEBYLEX', P .. ':ns', '[' .. ARGV[4], '(' .. ARGV[4] .. '\255')
