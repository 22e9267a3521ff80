// Taken by the bundler.
declare module '*.css'

// Made by the build (scripts/build-console.mjs).
declare module 'virtual:pipeline-names' {
  export const names: Readonly<
    Record<'stages' | 'matching' | 'accumulators' | 'expressions' | 'fields', readonly string[]>
  >
}
