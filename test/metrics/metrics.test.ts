import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Metrics } from '../../src/metrics/metrics.js'

function source() {
  return {
    sessions: () => ({ session: 3, sse: 1 }),
    lanes: () => ({ light: { running: 1, waiting: 0 }, heavy: { running: 2, waiting: 5 } }),
    slots: () => ({ heavy_questions: { running: 3, waiting: 4 } }),
    shares: () => ({ body_bytes: 900 }),
    budgets: () => ({ spent: { questions: 5, bytes: 70 }, refused: { questions: 2 } }),
    storeBytes: () => 4096,
    remembered: () => ({ given: 3, found: 8 }),
    diskFreeBytes: () => 1e9,
    keys: () => 7,
    outbox: () => ({ pending: 12, dead: 1 }),
    audit: () => ({ healthy: false, lastSequence: 42 }),
  }
}

test('the metrics say what was answered and what stands now', async () => {
  const metrics = new Metrics('1.2.3', source())
  metrics.answered({ transport: 'mcp', page: 'search_calls', outcome: 'ok', seconds: 0.03 })
  metrics.answered({
    transport: 'mcp',
    page: 'search_calls',
    outcome: 'refused',
    code: 'invalid_input',
    seconds: 0.001,
  })
  metrics.refused('mcp', 'unauthenticated')
  metrics.imported({ stored: 10, duplicates: 2, rejected: 1 })
  const lines = (await metrics.text()).split('\n')
  for (const line of [
    'earshot_budget_spent_total{kind="bytes"} 70',
    'earshot_budget_refusals_total{kind="questions"} 2',
    'earshot_info{version="1.2.3"} 1',
    'earshot_requests_total{transport="mcp",page="search_calls",outcome="ok"} 1',
    'earshot_requests_total{transport="mcp",page="search_calls",outcome="refused"} 1',
    'earshot_refusals_total{transport="mcp",code="invalid_input"} 1',
    'earshot_refusals_total{transport="mcp",code="unauthenticated"} 1',
    'earshot_request_duration_seconds_count{transport="mcp",page="search_calls"} 2',
    'earshot_request_duration_seconds_bucket{le="0.025",transport="mcp",page="search_calls"} 1',
    'earshot_import_calls_total{result="stored"} 10',
    'earshot_imports_total 1',
    'earshot_query_results_total{how="remembered"} 3',
    'earshot_open_sessions{kind="session"} 3',
    'earshot_queries_running{lane="heavy"} 2',
    'earshot_queries_waiting{lane="heavy"} 5',
    'earshot_work_running{kind="heavy_questions"} 3',
    'earshot_work_waiting{kind="heavy_questions"} 4',
    'earshot_shares_taken{kind="body_bytes"} 900',
    'earshot_store_bytes 4096',
    'earshot_keys 7',
    'earshot_audit_healthy 0',
    'earshot_audit_last_sequence 42',
  ]) {
    expect(lines).toContain(line)
  }
  expect(lines.join('\n')).toMatch(/^process_resident_memory_bytes \d+$/m)
})

test('a loop that was held shows in its lag, in seconds', async () => {
  const metrics = new Metrics('1.2.3', source())
  // What it says is of the time since it was last asked, and its clock runs in the loop that is held.
  await metrics.text()
  await sleep(30)
  const until = performance.now() + 300
  while (performance.now() < until);
  await sleep(30)
  const text = await metrics.text()
  const lag = (of: string) => Number(new RegExp(`^nodejs_eventloop_lag_${of}_seconds (\\S+)$`, 'm').exec(text)?.[1])
  expect(lag('max')).toBeGreaterThan(0.2)
  expect(lag('p50')).toBeLessThanOrEqual(lag('p99'))
})
