import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'binds variables',
    expression: { $let: { vars: { a: { $add: ['$x', 1] } }, in: { $multiply: ['$$a', 10] } } },
    document: { x: 2 },
    result: 30,
    wholeInEngine: true,
  },
  {
    name: 'binds documents',
    expression: { $let: { vars: { o: '$o' }, in: '$$o.k' } },
    document: { o: { k: 'v' } },
    result: 'v',
    wholeInEngine: true,
  },
  {
    name: 'does not let variables see one another',
    expression: { $let: { vars: { a: 1, b: 2 }, in: ['$$a', '$$b'] } },
    result: [1, 2],
  },
  {
    name: 'hides an outer variable',
    expression: { $let: { vars: { a: 1 }, in: { $let: { vars: { a: 2 }, in: '$$a' } } } },
    result: 2,
  },
  {
    name: 'raises for a variable that is not read',
    expression: { $let: { vars: { a: { $divide: [1, '$x'] } }, in: 5 } },
    document: { x: 0 },
    error: '$divide can not divide by zero',
  },
  {
    name: 'does so only in a branch that is taken',
    expression: { $cond: ['$x', { $let: { vars: { a: { $divide: [1, '$x'] } }, in: '$$a' } }, 0] },
    document: { x: 0 },
    result: 0,
    wholeInEngine: true,
  },
  {
    name: 'refuses what is not bound',
    expression: { $let: { vars: { a: 1 }, in: '$$b' } },
    error: 'The variable "$$b" is not known',
  },
  {
    name: 'refuses names of the system',
    expression: { $let: { vars: { NOW: 1 }, in: 1 } },
    error: "a variable's name begins with a small letter",
  },
  {
    name: 'refuses $$USER_ROLES',
    expression: { $let: { vars: { a: '$$USER_ROLES' }, in: 1 } },
    error: 'is not allowed: it looks at the server',
  },
]
