import { DEMO_ATTEMPTS, type SampleFile, sampleFiles } from "@andon/app";
import {
  alertsList,
  certificate,
  EXIT,
  Failure,
  failed,
  type Localized,
  resume,
  retry,
  status,
  why,
} from "@andon/cli/app";
import { ROUTES } from "@andon/contract";
import { VAULT_ROUTES } from "../../contract/routes.ts";
import { vaultVerify } from "../verify.ts";
import { nasState } from "./board.ts";
import { DEMO } from "./i18n.ts";
import type { Narrator } from "./narrator.ts";
import { isOnNas, upload } from "./sample-files.ts";
import { QUEUE, type Stage } from "./stage.ts";

interface Scene {
  readonly stage: Stage;
  readonly narrator: Narrator;
  readonly files: ReturnType<typeof sampleFiles>;
}

const queue = QUEUE;
const STOP_ALERT = "NAS_SYNC_FAILED_QUEUE_PAUSED";

/** The steps of the story, in order. Each step builds on the state that the previous one left. */
const STEPS: readonly { title: Localized; play: (scene: Scene) => Promise<void> }[] = [
  {
    title: DEMO.opening,
    async play({ stage, narrator }) {
      narrator.say(DEMO.openingText, { folder: stage.folder, nas: stage.nasFolder });
      narrator.say(DEMO.console, { url: stage.consoleLink });
      narrator.say(DEMO.otherTerminal);
      narrator.typed(`export ANDON_URL=${stage.use.connection.url} ANDON_DATA=${stage.dataFolder}`);
      narrator.typed('AUTH="Authorization: Bearer $(cat $ANDON_DATA/admin.key)"');
      await narrator.reading();
    },
  },
  {
    title: DEMO.up,
    async play(scene) {
      const { narrator, files } = scene;
      narrator.say(DEMO.upText);
      await uploadAll(scene, files.first);
      await untilOnNas(scene, files.first.length);
      narrator.say(DEMO.upDone, { count: files.first.length });
      await narrator.run(status, { queue }, {}, { route: ROUTES.queues.status, input: { queue } });
    },
  },
  {
    title: DEMO.away,
    async play(scene) {
      const { stage, narrator, files } = scene;
      narrator.say(DEMO.awayText);
      narrator.typed("mv $ANDON_DATA/nas $ANDON_DATA/nas-unplugged");
      await stage.takeNasAway();
      await uploadAll(scene, files.later);
    },
  },
  {
    title: DEMO.stop,
    async play({ stage, narrator }) {
      narrator.say(DEMO.stopText, { attempts: DEMO_ATTEMPTS });
      await narrator.until(async () => (await stage.use.client.queues.status({ queue })).isPaused);
      await narrator.run(status, { queue }, {}, { route: ROUTES.queues.overview, input: { queue } });
    },
  },
  {
    title: DEMO.alert,
    async play({ stage, narrator }) {
      const { client, out } = stage.use;
      const alert = await narrator.until(async () =>
        stage.alerts.received.find(({ type }) => type === STOP_ALERT),
      );
      await narrator.until(async () => {
        const { deliveries } = await client.alerts.show({ id: alert.id });
        return deliveries.every(({ state: delivery }) => delivery === "DELIVERED");
      });
      narrator.say(DEMO.alertText);
      out.line(`${out.paint("red", alert.severity)}  ${alert.title}\n${alert.message}`);
      const state = "firing";
      await narrator.run(alertsList, {}, { state }, { route: ROUTES.alerts.list, input: { state } });
    },
  },
  {
    title: DEMO.why,
    async play({ stage, narrator }) {
      const { client } = stage.use;
      narrator.say(DEMO.whyText);
      await narrator.run(failed, { queue }, {}, { route: ROUTES.queues.failed, input: { queue } });
      const job = await failedTicket(stage);
      await narrator.run(why, { job }, {}, { route: ROUTES.jobs.why, input: { id: job } });
      const { stopId: stop } = await client.queues.overview({ queue });
      const request = { route: ROUTES.stops.certificate, input: { queue, stopId: stop } };
      await narrator.run(certificate, { stop, queue }, {}, request);
    },
  },
  {
    title: DEMO.back,
    async play(scene) {
      const { stage, narrator, files } = scene;
      const reason = stage.use.out.say(DEMO.reason);
      narrator.say(DEMO.backText);
      narrator.typed("mv $ANDON_DATA/nas-unplugged $ANDON_DATA/nas");
      await stage.bringNasBack();
      const id = await failedTicket(stage);
      const again = { route: ROUTES.jobs.retry, input: { id, reason } };
      await narrator.run(retry, { jobs: [id] }, { reason }, again);
      await narrator.run(
        resume,
        { queue },
        { reason, yes: true },
        { route: ROUTES.queues.resume, input: { queue, reason } },
      );
      await untilOnNas(scene, files.first.length + files.later.length);
    },
  },
  {
    title: DEMO.proof,
    async play({ stage, narrator, files }) {
      narrator.say(DEMO.proofText);
      const all = [...files.first, ...files.later];
      for (const file of all) await refuseOther(stage, file);
      const { out } = stage.use;
      out.line(
        out.table(
          [
            { head: out.say(DEMO.file), of: ({ name }) => name },
            { head: out.say(DEMO.bytes), of: ({ bytes }) => bytes.length, side: "right" },
            { head: out.say(DEMO.onNas), of: () => out.say(DEMO.same), colour: () => "green" },
          ],
          all,
        ),
      );
      const checksum = true;
      await narrator.run(
        vaultVerify,
        {},
        { checksum },
        { route: VAULT_ROUTES.drift.start, input: { checksum } },
      );
      narrator.say(DEMO.end);
      narrator.say(DEMO.ownNext);
    },
  },
];

/** Plays the whole story on an open stage. Throws if an expected event does not happen. */
export async function playStory(stage: Stage, narrator: Narrator): Promise<void> {
  const scene: Scene = { stage, narrator, files: sampleFiles() };
  for (const { title, play } of STEPS) {
    narrator.step(title, STEPS.length);
    await play(scene);
  }
}

async function uploadAll({ stage, narrator }: Scene, files: readonly SampleFile[]): Promise<void> {
  for (const file of files) {
    narrator.typed(`curl -H "$AUTH" -F "file=@${file.name}" "$ANDON_URL${VAULT_ROUTES.files.upload.path}"`);
    const { name, size, syncQueueId: operation } = await upload(stage.use.connection, file);
    narrator.say(DEMO.uploaded, { name, size, operation });
  }
}

async function untilOnNas({ stage, narrator }: Scene, count: number): Promise<void> {
  await narrator.until(async () => {
    const { items } = await stage.use.clientOf(VAULT_ROUTES).files.list({ limit: 100 });
    return items.filter((file) => nasState(file) === "AVAILABLE").length === count;
  });
}

async function failedTicket({ use }: Stage): Promise<string> {
  const { items } = await use.client.queues.failed({ queue });
  return items[0]?.jobId ?? "";
}

async function refuseOther({ nasFolder }: Stage, file: SampleFile): Promise<void> {
  if (!(await isOnNas(nasFolder, file))) throw new Failure(EXIT.refused, DEMO.differs, { name: file.name });
}
