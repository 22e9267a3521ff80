/** Kinds of tasks and of events, as the service lists them: a test holds them together. */
export const TASK_KINDS = [
  'change_report',
  'import_folder',
  'import_bucket',
  'retention',
  'knowledge_base_refresh',
  'webhook_digest',
  'evaluate_pending',
  'lift_refit',
  'export_tables',
] as const
export const EVENTS = [
  'interaction.evaluated',
  'alert.triggered',
  'feedback.created',
  'task.failed',
  'changes.reported',
  'project.digest',
  'key.minted',
  'key.revoked',
] as const
