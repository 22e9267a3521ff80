import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import type { ShardKey } from './mongos-rules.js'

/** The shard keys of collections as the commands of the page on many machines set them, by their names. */
export function pageShards(): Readonly<Record<string, ShardKey>> {
  const page = readFileSync(new URL('../../../docs/many-machines.md', import.meta.url), 'utf8')
  const [, commands] = /^```js\n([\s\S]*?\bsh\.[\s\S]*?)^```/m.exec(page) ?? []
  if (commands === undefined) throw new Error('The page has no commands of sh')
  const keys: Record<string, ShardKey> = {}
  const sh = {
    enableSharding: () => undefined,
    shardCollection: (name: string, key: ShardKey) => void (keys[name.replace(/^earshot\./, '')] = key),
  }
  runInNewContext(commands, { sh })
  return keys
}
