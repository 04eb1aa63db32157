// Runs in the browser on the pages of sign-in and of invitations: makes and uses passkeys.
const problem = document.querySelector("#problem");
const { action, returnTo } = document.currentScript.dataset;

async function post(path, body) {
  const answer = await fetch(`/auth/passkey/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.message);
  return result;
}

async function signIn() {
  const { options } = await post("login/begin", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await post("login/finish", { credential: credential.toJSON() });
}

// The code is behind the sign #, which the browser does not send. Without one the person is signed in.
async function register() {
  const code = location.hash.slice(1);
  const registrant = code === "" ? {} : { code };
  const { options } = await post("register/begin", registrant);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await post("register/finish", { ...registrant, credential: credential.toJSON() });
}

const actions = { signIn, register };

document.querySelector("#passkey")?.addEventListener("click", (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  problem.textContent = "";
  actions[action]()
    .then(() => location.assign(returnTo))
    .catch((error) => {
      button.disabled = false;
      // The person closed the dialogue of the browser, or let it wait.
      const isLeft = error.name === "NotAllowedError";
      problem.textContent = isLeft ? "No passkey was used. Try again." : error.message;
    });
});
