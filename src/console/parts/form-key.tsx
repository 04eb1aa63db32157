import { useState } from "react";

/** The key by which the API knows a form that is sent again. */
export function FormKey() {
  const [key] = useState(() => crypto.randomUUID());
  return <input type="hidden" name="idempotencyKey" value={key} />;
}
