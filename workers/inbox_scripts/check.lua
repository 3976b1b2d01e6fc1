-- May the holder of this lease go on? ARGV: subject, token.
local id, token, cancelled = unpack(redis.call('HMGET', lease_key(ARGV[1]), 'event', 'token', 'cancelled'))
if token ~= ARGV[2] then return 'lost' end
if cancelled then return 'cancelled' end
if is_superseded(id, ARGV[1]) then return 'superseded' end
return 'ok'
