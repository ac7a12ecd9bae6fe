import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import ssh2 from "ssh2";

/** An SSH server that accepts one password. sshd would need the password of a user of this machine. */
export async function startPasswordServer(
  method: "password" | "keyboard-interactive",
  password: string,
): Promise<{ port: number; hostKey: string; close(): Promise<void> }> {
  const { private: hostKey } = ssh2.utils.generateKeyPairSync("ed25519");
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on("error", () => {});
    client.on("authentication", (context) => {
      const decide = (given: string | undefined) =>
        given === password ? context.accept() : context.reject();
      if (context.method !== method) return context.reject([method]);
      if (context.method === "password") return decide(context.password);
      if (context.method === "keyboard-interactive") {
        context.prompt([{ prompt: "Password:", echo: false }], ([given]) => decide(given));
      }
    });
    client.on("ready", () => client.on("session", (accept) => accept()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const parsed = ssh2.utils.parseKey(hostKey);
  if (parsed instanceof Error) throw parsed;
  const blob = (Array.isArray(parsed) ? parsed[0] : parsed).getPublicSSH();
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: `SHA256:${createHash("sha256").update(blob).digest("base64")}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
