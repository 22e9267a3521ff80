import type { ModelUsage } from '../../evaluation/run/evaluation-report.js'

/** What a run asked of a language model, for a reader. */
export function modelLines(usage: ModelUsage | undefined): readonly string[] {
  if (usage === undefined) return []
  const { name, requests, cached, input_tokens: input, output_tokens: output, cost, unquoted, flagged, stopped } = usage
  const { prompt_cache_tokens: read } = usage
  const number = (value: number) => value.toLocaleString('en')
  const price = cost === undefined ? '' : `, cost ${cost.toFixed(4)}`
  const ofCache = read === undefined ? '' : ` (${number(read)} from its prompt cache)`
  return [
    `Model ${name}: ${number(requests)} requests, ${number(cached)} answers kept from before, ${number(input)} tokens in${ofCache}, ${number(output)} out${price}.`,
    ...(unquoted === 0
      ? []
      : [`Signals unclear because the model's quotes are not in the transcript: ${number(unquoted)}.`]),
    ...(flagged === 0
      ? []
      : [`Calls with a turn that seems to instruct the evaluation (their trust says so): ${number(flagged)}.`]),
    ...(stopped === undefined
      ? []
      : [`Ended early: ${stopped.reason}. The same command goes on; answers that were paid for are kept.`]),
  ]
}
