import * as fc from 'fast-check'

// The same cases in every run: whether the tests pass must not hang on what was drawn. The commands that look for new ones,
// npm run fuzz:pipeline and npm run fuzz:rest, draw others each time.
const fuzzing = process.env['FUZZ_REQUESTS'] !== undefined || process.env['FUZZ_MINUTES'] !== undefined
if (!fuzzing) fc.configureGlobal({ seed: 20_261_122 })
