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

/** What may wait for a second administrator, as approvals name it, and by which text: a test holds it to the service's own list. */
export const CONFIRMED_ACTIONS = {
  'DELETE /api/v1/interactions/:interaction_id': 'eraseCall',
  'POST /api/v1/customers/erase': 'eraseCustomer',
  'GET /api/v1/export': 'exportProject',
  'GET /api/v1/export/tables/:table': 'exportTable',
  'GET /api/v1/bulk/interactions': 'readInBulk',
  'POST /api/v1/tasks': 'createTask',
  'PATCH /api/v1/tasks/:task_id': 'changeTask',
  'POST /projects/:project_id/mcp-keys': 'mintKey',
  'PATCH /projects/:project_id/mcp-keys/:key_id': 'changeKey',
  'POST /projects/:project_id/mcp-keys/:key_id/rotate': 'rotateKey',
  'POST /projects/:project_id/people': 'invitePerson',
  'POST /projects/:project_id/mcp-keys/:key_id/invitation': 'inviteAgain',
} as const
