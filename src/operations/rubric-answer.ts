import { z } from 'zod'

export const rubricText = z.string().max(1_000_000).meta({ description: 'The rubric as YAML or JSON' })

/** Which rubric it is. */
export const about = z.strictObject({
  name: z.string(),
  title: z.string(),
  language: z.string(),
  version: z.string().meta({ description: 'What evaluations keep as rubric_version' }),
  source: z.enum(['project', 'built-in']),
  set_at: z.string().optional().meta({ description: 'Absent while the project has never set one' }),
  set_by: z.string().optional(),
})

export const rubricAnswer = about.extend({ text: rubricText })

/** The same of a version, which may be one that this program can't read. */
export const aboutVersion = about.extend({
  name: about.shape.name.optional().meta({ description: 'Absent of an own rubric that can not be read' }),
  title: about.shape.title.optional(),
  language: about.shape.language.optional(),
  unreadable: z.string().optional().meta({
    description: 'Why this program can not read it, which was set under another version; absent when it can',
  }),
})
export const versionAnswer = aboutVersion.extend({ text: rubricText })

export type RubricAnswer = z.infer<typeof rubricAnswer>
export type RubricVersionAnswer = z.infer<typeof versionAnswer>
export type AboutRubricVersion = z.infer<typeof aboutVersion>
