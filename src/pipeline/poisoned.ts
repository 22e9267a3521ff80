/** Names that would reach into JavaScript's own objects: never a field's name. */
export const POISONED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
