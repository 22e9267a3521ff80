import { expect, test } from 'vitest'
import { PATHS } from '../../console/client/questions.js'
import { EXAMPLES, exampleOf } from '../../console/screens/explore/examples.js'
import { CONFIRMED_ACTIONS, EVENTS, TASK_KINDS } from '../../console/screens/settings/choices.js'
import { eventNames } from '../../src/events/event-kinds.js'
import { toolOperations } from '../../src/operations/ask-questions.js'
import { operations } from '../../src/operations/operations.js'
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

test('settings have a text for all that may wait for a second administrator', () => {
  const all = operations.map(
    ({ method, url, secondPerson }) => [`${method} ${url}`, secondPerson !== undefined] as const,
  )
  // Those of a key that is there are decided by what it is.
  const ofKey = new Set(['', '/rotate', '/invitation'].map(more => `/projects/:project_id/mcp-keys/:key_id${more}`))
  const wait = all.flatMap(([action, waits]) => {
    const [method, url = ''] = action.split(' ')
    return waits || (ofKey.has(url) && (method === 'PATCH' || method === 'POST')) ? [action] : []
  })
  expect(Object.keys(CONFIRMED_ACTIONS).toSorted()).toEqual(wait.toSorted())
})

test('questions to begin with take days and hours apart in the project’s time zone', () => {
  for (const name of EXAMPLES) {
    const text = JSON.stringify(exampleOf(name, 'Europe/Berlin'))
    const apart = [...text.matchAll(/\{"\$(?:dateToString|isoDayOfWeek|hour|dateTrunc)":/g)].length
    expect([name, [...text.matchAll(/"timezone":"Europe\/Berlin"/g)].length]).toEqual([name, apart])
  }
})
