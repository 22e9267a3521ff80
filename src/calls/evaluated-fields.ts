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

/** What an evaluation reads of a record, beside when the call began and by whom it was evaluated; its score is only compared. */
export const fieldsReadToEvaluate = [
  'session_id',
  'agent_name',
  'title',
  'interaction_driver',
  'interaction_direction',
  'channel',
  'language_primary',
  'session_metadata',
  'score',
  'talk_patterns',
  'trust',
  'conditions',
  'transcript',
] as const
