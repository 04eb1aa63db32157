/**
 * Marks a field whose value depends on who asks, beyond the role: it goes into the `extensions` of the field. Streams
 * that select such a field are shared by readers of one actor only.
 */
export const DEPENDS_ON_ACTOR = { dependsOnActor: true } as const;
