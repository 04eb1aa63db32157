import { useState } from "react";
import { signOut } from "./sign-in.ts";

/** The button that ends the session of this browser. Without an answer the session remains, and the page states that. */
export function SignOut() {
  const [isLost, setLost] = useState(false);
  const submit = (): void => {
    setLost(false);
    signOut().then(
      () => location.assign("/login"),
      () => setLost(true),
    );
  };
  return (
    <>
      <button type="button" onClick={submit}>
        Sign out
      </button>
      <output className="problem">{isLost && "The server does not answer: you are still signed in."}</output>
    </>
  );
}
