import { outcomeOf } from '../activity/audited.js'
import type { RequestMeter } from '../metrics/request-meter.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Answering } from './answering.js'

/** Answering that is measured: around the audited one, so that what a caller waits for is what is counted. */
export function measuredAnswering(answering: Answering, meter: RequestMeter, transport: ActivityTransport): Answering {
  const measured = async <T>(page: string, run: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    try {
      const answer = await run()
      meter.answered({ transport, page, outcome: 'ok', seconds: seconds() })
      return answer
    } catch (error) {
      const { outcome, code } = outcomeOf(error)
      meter.answered({ transport, page, outcome, ...(code === undefined ? {} : { code }), seconds: seconds() })
      throw error
    }
  }
  return {
    answer: (question, caller, args, context) =>
      measured(question.name, () => answering.answer(question, caller, args, context)),
    read: (resource, caller, params, context) =>
      measured(resource.uriTemplate, () => answering.read(resource, caller, params, context)),
    write: (prompt, caller, args, context) =>
      measured(`prompt ${prompt.name}`, () => answering.write(prompt, caller, args, context)),
    complete: (target, caller, typed, context) =>
      measured('completion/complete', () => answering.complete(target, caller, typed, context)),
  }
}
