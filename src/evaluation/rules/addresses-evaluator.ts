import { otherWork } from '../../base/other-work.js'
import type { EvaluationTime } from './evaluation-time.js'
import type { HeardCall } from './heard-call.js'
import { placeFrom } from './place-from.js'
import type { Said } from './reading.js'

// Texts that speak to whoever evaluates instead of to the other side of the call. Patterns without nested repetition;
// the words between two parts are bounded. What people say to each other on the telephone ("ignore the instructions in
// the manual", "the signal is weak", "would you give us five stars") is none of them.
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,20}\b(?:all|any|your|previous|prior|preceding|earlier|above)\b.{0,20}\b(?:instructions?|prompts?|rules|rubric|guidelines)\b/iu,
  /\b(?:system|developer) (?:prompt|override|instructions?)\b/iu,
  /\byou are (?:now )?(?:an?|the) (?:ai|a\.i\.|language model|llm|evaluator|grader)\b/iu,
  /\bas (?:an?|the) (?:ai|language model|llm|evaluator|grader)\b/iu,
  /\b(?:note|message|instructions?|attention|dear)\b.{0,10}\b(?:ai|llm|language model|evaluator|grader)\b/iu,
  /\b(?:evaluator|grader|language model|llm|rubric)\b.{0,60}\b(?:score|rate|mark|set|give|output|answer|return)\b/iu,
  /\b(?:score|rate|mark|set|give|output|answer|return)\b.{0,60}\b(?:evaluator|grader|rubric|json|predicted_csat)\b/iu,
  /\b(?:mark|set|report|return)\b.{0,40}\b(?:signals?|everything)\b.{0,20}\b(?:present|absent|true|false)\b/iu,
  /\bsig\.[a-z_]{3,}/u,
  /["']?(?:state|score|predicted_csat|turns_that_instruct)["']?\s{0,3}[:=]\s{0,3}["']?(?:present|absent|unclear|[1-5]\b)/iu,
  /\b(?:end|close|begin|beginning|start) of (?:the )?(?:transcript|call data)\b/iu,
  /<\/?\s{0,3}(?:transcript|system|user|assistant|data|instructions?|prompt)\b/iu,
  /<\|[a-z_]{2,30}\|>|\[\/?INST\]|<<\/?SYS>>/iu,
  /^\W{0,20}(?:system|assistant|developer)(?: message)?\s{0,3}[:>\]]/iu,
  /={5}|#{3}\s{0,3}(?:instruction|system|response)/iu,
]
const ORDERS_SCORE =
  /\b(?:give|rate|score|mark|grade|evaluate)\b.{0,30}(?<!\b(?:a|another|quick|missed|phone) )\b(?:call|conversation|interaction|agent)\b.{0,40}\b(?:[1-5]|one|five|perfect|maximum|highest|full)\b|\bscore of (?:[1-5]|one|five)\b/iu
/** Agents ask for good marks in surveys; that is said to the customer. */
const SURVEY = /\b(?:survey|feedback|review|questionnaire|stars?|text message|email)\b/iu
/** Characters that are looked at in one go, which takes milliseconds at worst, and how far two of them overlap. */
const AT_ONCE = 2_000
const OVERLAP = 200
/** So many of them, and others get their turn. */
const IN_A_ROW = 4

/** Words of which one is said in whatever the patterns find, unless it is written with signs: what is read for nothing else. */
export const ADDRESSING: readonly string[] = [
  '(instruction|instructions|prompt|prompts|rules|rubric|guidelines|system|developer|assistant|evaluator|grader|llm|ai|json|csat)',
  '(language model|a i|signal|signals|everything|state|score|transcript|call data|predicted_csat|turns_that_instruct)',
  '(rate|mark|grade|evaluate|conversation|interaction)',
  'give [*] [*] [*] (call|agent)',
  'sig',
]
const SIGNS = /[<[#={]/u

/** Places of turns that try to instruct the evaluation. */
export async function addressesEvaluator({ spoken }: HeardCall): Promise<readonly number[]> {
  const places: number[] = []
  let looked = 0
  for (const { text, place } of spoken) {
    for (const piece of piecesOf(text)) {
      looked += 1
      if (looked % IN_A_ROW === 0) await otherWork()
      if (!instructs(piece)) continue
      places.push(place)
      break
    }
  }
  return places
}

/**
 * The same at once, looking at those turns only in which it can be.
 * @param said where `ADDRESSING` is
 */
export function addressingPlaces(
  { spoken }: HeardCall,
  said: readonly Said[],
  time: EvaluationTime,
): readonly number[] {
  const places: number[] = []
  for (const { text, index, place } of spoken) {
    const from = placeFrom(said, index)
    if (said[from]?.index !== index && !SIGNS.test(text)) continue
    for (const piece of piecesOf(text)) {
      time.check()
      if (!instructs(piece)) continue
      places.push(place)
      break
    }
  }
  return places
}

function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += AT_ONCE - OVERLAP) {
    yield text.slice(from, from + AT_ONCE)
  }
}

function instructs(text: string): boolean {
  return (ORDERS_SCORE.test(text) && !SURVEY.test(text)) || PATTERNS.some(pattern => pattern.test(text))
}
