import { test } from 'vitest'
import fc from 'fast-check'
import { randomPipeline } from '../support/random-pipeline.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { callEngine } from '../support/call-engine.js'
test('dist', async () => {
  const tally = new Map<string, number>()
  const add = (k: string) => tally.set(k, (tally.get(k) ?? 0) + 1)
  const stages = new Map<string, number>()
  for (let s = 0; s < 15; s += 1) {
    const [calls] = fc.sample(arbitraryCalls, { seed: s + 5, numRuns: 1 })
    const engine = await callEngine(calls!)
    for (let i = 0; i < 20; i += 1) {
      const p = randomPipeline(Math.imul((Date.now() + s) * 12 + i, 0x9e3779b1), 6)
      for (const st of p) { const n = Object.keys(st)[0]!; stages.set(n, (stages.get(n) ?? 0) + 1) }
      try { const docs = engine.evaluated(p); add(docs.length > 0 ? 'docs' : 'empty'); 
        try { const r = await engine.compiled(p); add('whole ' + (r.engineStages === p.length)); if (r.engineStages < p.length) add('stops at ' + Object.keys(p[r.engineStages]!)[0]) } catch (e) { add('compiled error') } }
      catch (e) { add((e as Error).name + ' ' + (e as Error).message.replace(/pipeline\S*/, '').slice(0, 70)) }
    }
    engine.close()
  }
  console.log([...tally].sort((a, b) => b[1] - a[1]).slice(0, 60).map(([k, v]) => `${v} ${k}`).join('\n'), [...stages].join(' '))
}, 100000)
