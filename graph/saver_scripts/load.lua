-- Checkpoints with their pending writes. ARGV from 4: members; or a namespace N and '' for its
-- latest. Returns {member, record or false, {write record...}, ...}.
local members = {}
if ARGV[5] == '' then
  members = redis.call('ZREVRANGEBYLEX', ORDER, '(' .. ARGV[4] .. '\255', '[' .. ARGV[4],
    'LIMIT', 0, 1)
else
  for n = 4, #ARGV do members[#members + 1] = ARGV[n] end
end
local found = {}
for _, member in ipairs(members) do
  local record = redis.call('HGET', CHECKPOINTS, member)
  if record then
    found[#found + 1] = member
    found[#found + 1] = record
    found[#found + 1] = writes_of(member)
  end
end
return found
