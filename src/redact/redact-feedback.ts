import { maskText } from './mask-text.js'
import type { MaskCounts, MaskKind } from './mask.js'
import { phoneRegionOf } from './phone-region.js'

/**
 * Masks in what somebody said about a call what is masked in the call itself.
 *
 * @param language of the call
 * @param counts grows by the places that were masked
 * @param only these kinds; all when absent
 */
export function redactFeedback<T extends { readonly text?: string | undefined }>(
  feedback: T,
  language: string | undefined,
  counts: MaskCounts,
  only?: ReadonlySet<MaskKind>,
): T {
  if (feedback.text === undefined) return feedback
  const { text, spans } = maskText(feedback.text, { region: phoneRegionOf(language), only })
  for (const { kind } of spans) counts[kind] += 1
  return { ...feedback, text }
}
