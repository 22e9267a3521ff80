import { defined } from './defined.js'
import type { CallDetail } from './call-detail-schema.js'

/** Bytes of all but the transcript, which is paged. */
const sizeOf = (call: CallDetail) => Buffer.byteLength(JSON.stringify({ ...call, transcript: undefined }))

/** No list is cut to less than this part of it. */
const LEAST = 1 / 64

/**
 * A call's evaluation in so many bytes of JSON: without its evidence where that is too much, then with the beginnings of
 * its lists. `left_out` says what is missing.
 */
export function fitDetail(call: CallDetail, bytes: number): CallDetail {
  if (sizeOf(call) <= bytes) return call
  const bare = {
    ...call,
    signals: call.signals.map(signal => defined({ ...signal, evidence: undefined })),
    guidance: call.guidance.map(entry => defined({ ...entry, evidence: undefined })),
    left_out: [...(call.left_out ?? []), 'evidence of signals and guidance'],
  }
  let fitted: CallDetail = bare
  for (let part = 1 / 2; sizeOf(fitted) > bytes && part >= LEAST; part /= 2) fitted = shortened(bare, part)
  return fitted
}

function shortened(call: CallDetail & { readonly left_out: readonly string[] }, part: number): CallDetail {
  const first = <T>(list: readonly T[]): T[] => list.slice(0, Math.ceil(list.length * part))
  const lists = {
    scores: first(call.scores),
    dimensions: first(call.dimensions),
    signals: first(call.signals),
    signals_absent: first(call.signals_absent),
    guidance: first(call.guidance),
  }
  const cut = (['scores', 'dimensions', 'signals', 'signals_absent', 'guidance'] as const).flatMap(name =>
    lists[name].length === call[name].length ? [] : [`${name}: ${lists[name].length} of ${call[name].length} given`],
  )
  return defined({ ...call, ...lists, left_out: [...call.left_out, ...cut] })
}
