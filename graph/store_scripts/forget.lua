-- Erase namespaces (ARGV from 4): items, order and expiry. Returns how many items there were.
-- The revisions are erased by their own names, which only a scan finds.
local erased = 0
for at = 4, #ARGV do
  local namespace = ARGV[at]
  for _, key in ipairs(redis.call('HKEYS', P .. ':i:' .. namespace)) do
    never_expire(namespace, key)
    erased = erased + 1
  end
  redis.call('DEL', P .. ':i:' .. namespace, P .. ':o:' .. namespace)
  drop_if_empty(namespace)
end
return erased
