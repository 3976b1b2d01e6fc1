-- Pending writes of a checkpoint. ARGV from 4: blobs, then per write: name, record, '1' to replace.
-- Returns the digests that must be sent too; then nothing was written.
local missing, at = store_blobs(4)
if #missing > 0 then return missing end
for n = at, #ARGV, 3 do
  if ARGV[n + 2] == '1' or redis.call('HEXISTS', WRITES, ARGV[n]) == 0 then
    redis.call('ZADD', INDEX, 0, ARGV[n])
    redis.call('HSET', WRITES, ARGV[n], ARGV[n + 1])
  end
end
touch()
return missing
