-- The revisions of namespace ARGV[4], key ARGV[5], newest first; ARGV[6] = '1' erases them.
local history = P .. ':h:' .. own(ARGV[4], ARGV[5])
local revisions = redis.call('LRANGE', history, 0, -1)
if ARGV[6] == '1' then redis.call('DEL', history) end
return revisions
