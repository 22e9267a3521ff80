/** The fields of a call record that an evaluation fills. */
export const evaluatedFieldNames = [
  'score',
  'predicted_csat',
  'scores',
  'dimensions',
  'signals',
  'guidance',
  'coaching_summary',
  'talk_patterns',
  'trust',
  'conditions',
  'evaluation',
  'interaction_driver',
] as const
