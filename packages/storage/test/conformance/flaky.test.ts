import { FlakyStorage } from "@andon/storage/testing";
import { openFolder } from "../places.ts";
import { describeStorage } from "./suite.ts";

async function openFlaky() {
  const place = await openFolder();
  return { ...place, storage: new FlakyStorage(place.storage) };
}

describeStorage("a flaky storage without troubles", openFlaky, { runs: 20 });
