-- ARGV from 4, per item: namespace, key, '1' to renew its time to live.
-- Returns one record or false per item, in order.
local records = {}
for at = 4, #ARGV, 3 do
  read(ARGV[at], {ARGV[at + 1]}, ARGV[at + 2] == '1', function(_, record)
    records[#records + 1] = record
  end)
end
return records
