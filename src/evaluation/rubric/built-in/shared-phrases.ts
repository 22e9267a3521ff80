import { closingPhrases } from './shared-phrases/closing-phrases.js'
import { contextPhrases } from './shared-phrases/context-phrases.js'
import { empathyPhrases } from './shared-phrases/empathy-phrases.js'
import { frustrationPhrases } from './shared-phrases/frustration-phrases.js'
import { holdingPhrases } from './shared-phrases/holding-phrases.js'
import { openingPhrases } from './shared-phrases/opening-phrases.js'
import { rudenessPhrases } from './shared-phrases/rudeness-phrases.js'
import { troublePhrases } from './shared-phrases/trouble-phrases.js'
import { willingnessPhrases } from './shared-phrases/willingness-phrases.js'
import { wordClasses } from './shared-phrases/word-classes.js'

/**
 * Phrases of English calls that the built-in rubrics share, by the name rules give them. See docs/rubric.md for how a
 * phrase is written; contractions need no phrase of their own ("I'm" is read as "i am").
 */
export const sharedPhrases = {
  ...wordClasses,
  ...openingPhrases,
  ...holdingPhrases,
  ...willingnessPhrases,
  ...troublePhrases,
  ...frustrationPhrases,
  ...empathyPhrases,
  ...rudenessPhrases,
  ...closingPhrases,
  ...contextPhrases,
} as const
