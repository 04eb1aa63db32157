/**
 * Marks a field whose value depends on the actor who asks, beyond what that one may see (`requiredPermissions`): it goes into the
 * `extensions` of the field. Streams that select such a field are shared by readers of one actor only.
 */
export const ACTOR_DEPENDENT = { dependsOnActor: true } as const;
