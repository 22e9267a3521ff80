import type { Case } from '../../support/pipeline-cases.js'
import { rules } from '../../support/pipeline-rules.js'
import { testCases } from '../../support/test-cases.js'

/** The examples of the rules of the language, as rows: what the page shows is run like everything else. */
const examples = rules.map(({ title, rules }) => ({
  file: `rules of ${title.toLowerCase()}: examples`,
  cases: rules.map(({ name, example }): Case => ({ name, ...example })),
}))

await testCases('rules', examples)
