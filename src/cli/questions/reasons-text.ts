import { stringify } from 'yaml'
import type { AnswerOf } from '../../control/client.js'
import type { restOperations } from '../../operations/ask-questions.js'
import { calls, count, percent } from '../figures.js'
import type { Screen } from '../screen.js'
import { tableText } from '../table-text.js'
import { emptyLines, heading, headline } from './shared-text.js'

type Reasons = AnswerOf<typeof restOperations.getReasons>

/** What customers call for beyond what has a name, for a reader. */
export function reasonsText(answer: Reasons, screen: Screen): string {
  const { window, clusters, further, named, read } = answer
  const title = headline(calls(answer.calls), window, screen)
  if (answer.calls === 0) return `${title}${emptyLines(answer.why_empty, window)}`
  const rows = clusters.map(one => [
    count(one.calls),
    one.words,
    one.phrase,
    (one.quotes[0]?.said ?? '').replaceAll(/\s+/g, ' '),
  ])
  const beside = further.map(one => [count(one.calls), one.driver])
  const areAllNamed = named === answer.calls
  return [
    title,
    areAllNamed
      ? 'All have a reason with a name\n'
      : `${percent(named / answer.calls)} have a reason with a name; of the others the words of ${calls(read)} were looked at\n`,
    rows.length === 0
      ? areAllNamed
        ? ''
        : '\nNo two words are said by three of them\n'
      : `${heading(screen, 'What they say')}${tableText(['Calls', 'Words', 'Phrase', 'Such as'], rows, screen.width, ['Calls'])}`,
    beside.length === 0
      ? ''
      : `${heading(screen, 'Reasons given beside the first')}${tableText(['Calls', 'Reason'], beside, screen.width, ['Calls'])}`,
    rows.length === 0
      ? ''
      : '\nearshot reasons --yaml > FILE writes a line for each; earshot rubric try FILE shows what it changes\n',
  ].join('')
}

/** A rubric with a line of the driver table for each of them, over the default one. */
export function rubricOf({ clusters }: Reasons): string {
  const table = clusters.map(({ words, phrase }) => ({ driver: words, any: [phrase] }))
  return stringify({
    extends: 'support-calls',
    name: 'reasons',
    title: 'Support calls with more reasons',
    drivers: { table },
  })
}
