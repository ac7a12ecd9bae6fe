// Makes the screenshots of the guides: `npm run screenshots -w packages/console`. Apps make those of their own rooms. Check each one
// before you commit it.
import { setTimeout as wait } from "node:timers/promises";
import { ConsoleServer } from "../test/console-server.ts";
import { addUploads, demoLine, STOPPING } from "../test/demo-line.ts";
import { openBrowser, signIn } from "../test/operator.ts";
import { DESK, savePicture } from "../test/pictures.ts";

const WORKING_SECONDS = 60;
const PHONE = { width: 390, height: 844 };

const line = demoLine();
const server = await ConsoleServer.start("sqlite", line.settings);
const browser = await openBrowser();
const client = server.client("ko");

const look = (language, colorScheme, viewport = DESK) =>
  signIn(browser, server, language, { colorScheme, viewport });
const pages = {
  ko: (await look("ko", "light")).page,
  en: (await look("en", "dark")).page,
  phone: (await look("ko", "dark", PHONE)).page,
};

await work();
const failedJob = await takeNasAway();

await picture(pages.en, "/", "board-en-dark");
await picture(pages.ko, "/", "board-ko-light");
await picture(pages.ko, `/queues/${STOPPING}`, "queue-ko-light");
await picture(pages.en, `/jobs/${failedJob}`, "job-en-dark");
await picture(pages.ko, "/alerts", "alerts-ko-light");
await picture(pages.phone, "/", "board-phone");
await plan(pages.ko, "plan-ko-light");

await browser.close();
await server.close();

/** An ordinary minute of work, while the pages are open. */
async function work() {
  line.nas.bad.set("/media/scan-07.tif", "EINVAL: /media/scan-07.tif is not a picture");
  await addUploads(client, "thumbnails", ["/media/scan-06.tif", "/media/scan-07.tif", "/media/scan-07.tif"]);
  await client.queues.pause({ queue: "reports", reason: "월 마감 보고서 양식 교체" });
  await addUploads(client, "reports", ["/reports/2026-10.xlsx", "/reports/2026-11.xlsx"]);
  for (let second = 0; second < WORKING_SECONDS; second++) {
    const some = 2 + Math.round(2 * Math.sin(second / 6) + (second % 3));
    await addUploads(client, STOPPING, names("/contracts/2026", second, some));
    await wait(1_000);
  }
}

/** Then the NAS stops answering. */
async function takeNasAway() {
  line.nas.isUp = false;
  await addUploads(client, STOPPING, names("/invoices/2026-11", 0, 16));
  await addUploads(client, "mail", names("/mail", 0, 4));
  for (;;) {
    const { failedJobId } = await client.queues.overview({ queue: STOPPING });
    if (failedJobId) return failedJobId;
    await wait(50);
  }
}

function names(path, from, count) {
  return Array.from({ length: count }, (_, index) => `${path}/${from * 10 + index + 1}.pdf`);
}

async function picture(page, path, name) {
  // Navigate inside the console, so that the page keeps its counts since it was opened.
  await page.evaluate(
    `history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await page.locator("main .skeleton").first().waitFor({ state: "detached" });
  await wait(2_000);
  await savePicture(page, name);
}

async function plan(page, name) {
  await page.goto(`${server.url}/jobs?queue=${STOPPING}&state=ready`);
  await page.getByRole("checkbox", { name: "이 쪽 모두 선택" }).check();
  await page.getByRole("button", { name: "계획: 취소" }).click();
  await page.getByLabel("사유 (선택)").fill("11월 청구서는 다시 만들 예정");
  await page.getByRole("button", { name: "무엇이 바뀌는지 보기" }).click();
  await page.getByText("고정된 대상").waitFor();
  await savePicture(page, name);
}
