import { send, Unreachable } from './ask.js'
import type { Args } from './questions.js'

/** Which calls: the arguments of search_calls. */
export type Filters = Args<'search_calls'>

/**
 * How many calls there are that meet filters, told anew whenever it is another number, until the stream ends or `signal` aborts.
 * @throws Refusal, Unreachable
 */
export async function* totals(filters: Filters, signal: AbortSignal): AsyncGenerator<number> {
  const set = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const path = `/console/live?${new URLSearchParams(set).toString()}`
  const { body } = await send(path, { accept: 'text/event-stream', signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const read = await reader?.read().catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new Unreachable()
    })
    if (read === undefined || read.done) return
    const events = (text + read.value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      // Lines that begin with a colon say nothing: they keep the stream open.
      if (event.startsWith('data: ')) yield (JSON.parse(event.slice('data: '.length)) as { total: number }).total
    }
  }
}
