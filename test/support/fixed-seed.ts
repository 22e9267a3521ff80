import * as fc from 'fast-check'

// The same cases in every run: whether the tests pass must not hang on what was drawn. Where new cases are wanted there is
// a command of its own (npm run fuzz:pipeline, npm run fuzz:rest).
fc.configureGlobal({ seed: 20_261_122 })
