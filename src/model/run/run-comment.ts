/** What a person said about a run without deciding anything. It never changes. */
export interface RunComment {
  id: string;
  runId: string;
  actorId: string;
  text: string;
  at: string;
}
