/** What to do about required fields that transcripts rarely hold: ends of sentences that begin "… is missing: ". */
export const missing = {
  session_id:
    'the source has no id of its own; --map session_id=… says where it is, or @path takes the path of the file',
  agent_name:
    'the source does not name the agent; --map agent_name=… says where the name is, @folder takes the name of the folder, and \'agent_name="Ann"\' is for one agent',
  created_dt:
    'the source does not say when the call was; --map created_dt=… says where it is, and @file_time takes the time in the name of the file',
} as const
