import { expect, test } from 'vitest'
import { PATHS } from '../../console/client/questions.js'
import { EXAMPLES, exampleOf } from '../../console/screens/explore/examples.js'
import { EVENTS, TASK_KINDS } from '../../console/screens/settings/choices.js'
import { eventNames } from '../../src/events/event-kinds.js'
import { toolOperations } from '../../src/operations/ask-questions.js'
import { restQuestions } from '../../src/questions/rest-questions.js'
import { taskKinds } from '../../src/tasks/known-kind.js'

test('the console asks each question where the service answers it', () => {
  const served = new Map([
    ...Object.entries(toolOperations).map(([name, { url }]) => [name, url] as const),
    ...Object.values(restQuestions).map(({ name, rest }) => [name, rest?.url] as const),
  ])
  for (const [name, path] of Object.entries(PATHS)) expect([name, path]).toEqual([name, served.get(name)])
})

test('settings offer the kinds of tasks and events there are', () => {
  expect(TASK_KINDS).toEqual(taskKinds.map(({ name }) => name))
  expect(EVENTS).toEqual(eventNames)
})

test('questions to begin with take days and hours apart in the project’s time zone', () => {
  for (const name of EXAMPLES) {
    const text = JSON.stringify(exampleOf(name, 'Europe/Berlin'))
    const apart = [...text.matchAll(/\{"\$(?:dateToString|isoDayOfWeek|hour|dateTrunc)":/g)].length
    expect([name, [...text.matchAll(/"timezone":"Europe\/Berlin"/g)].length]).toEqual([name, apart])
  }
})
