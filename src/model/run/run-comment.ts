/** A comment on a run, without a decision. It never changes. */
export interface RunComment {
  id: string;
  runId: string;
  actorId: string;
  text: string;
  at: string;
}
