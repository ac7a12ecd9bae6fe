import { filledIn, type Language } from "@andon/contract";

export interface Cause {
  readonly rule: string;
  readonly facts: Record<string, unknown>;
}

/** One template per rule, which `filledIn` completes with the facts; `{name|time}` is shown as a time. */
export const WHY_SENTENCES: Record<string, Record<Language, string>> = {
  "job.scheduled": {
    en: "Scheduled to run at {due|time}.",
    ko: "{due|time}에 실행될 예정입니다.",
  },
  "job.backoff": {
    en: "Attempt {attempts} failed ({error}). The next attempt is at {due|time}; the job keeps its place.",
    ko: "{attempts}번째 시도가 실패했습니다({error}). {due|time}에 다시 시도하며 순서는 유지됩니다.",
  },
  "job.snoozed": {
    en: "Its handler asked to be called again at {due|time}; it keeps its place.",
    ko: "핸들러가 {due|time}에 다시 호출해 달라고 했습니다. 순서는 유지됩니다.",
  },
  "job.suspect": {
    en: "Its worker died {lost} {lost:time|times} in a row, so it waits for a worker that runs nothing else; it keeps its place.",
    ko: "작업하던 워커가 연달아 {lost}번 죽었으므로, 다른 작업을 하지 않는 워커가 있을 때까지 기다립니다. 순서는 유지됩니다.",
  },
  "job.probing": {
    en: "It is the probe of the degraded queue {queue}: it tests the destination again at {due|time} ({code}).",
    ko: "대상 장애 상태인 큐 {queue}의 점검 작업입니다. {due|time}에 대상을 다시 확인합니다({code}).",
  },
  "lane.held-by-failure": {
    en: 'Its lane "{key}" is held because job {failedJob} failed ({reason}): retry or skip that job.',
    ko: '작업 {failedJob}이(가) 실패해({reason}) 레인 "{key}"이(가) 보류되었습니다. 그 작업을 재시도하거나 건너뛰세요.',
  },
  "lane.held-by-hand": {
    en: 'Its lane "{key}" is held by {by} ({reason}): release it.',
    ko: '{by}이(가) 레인 "{key}"을(를) 보류했습니다({reason}). 보류를 해제하세요.',
  },
  "lane.behind": {
    en: 'It waits in lane "{key}" behind {ahead} {ahead:job|jobs}; the first, {headJob}, is {headState}.',
    ko: '레인 "{key}"에서 {ahead}개 작업 뒤에 있습니다. 맨 앞 작업 {headJob}의 상태는 {headState}입니다.',
  },
  "lane.behind-own": {
    en: 'It waits in lane "{key}"; the first there, {headJob}, is {headState}.',
    ko: '레인 "{key}"에서 기다리고 있습니다. 맨 앞 작업 {headJob}의 상태는 {headState}입니다.',
  },
  "lane.waits": {
    en: 'It waits for its turn in lane "{key}".',
    ko: '레인 "{key}"에서 차례를 기다리고 있습니다.',
  },
  "queue.ramping": {
    en: "Queue {queue} is resumed in waves: it waits until the {open} {open:job|jobs} of wave {wave} of {of} that are not finished have ended.",
    ko: "큐 {queue}을(를) 단계적으로 재개하는 중입니다. {of}단계 중 {wave}단계에서 아직 끝나지 않은 작업 {open}개가 끝나면 다음 단계에서 실행됩니다.",
  },
  "queue.stopped": {
    en: "Queue {queue} has been stopped since {since|time} ({reason}): it goes on when an operator resumes it.",
    ko: "{since|time}부터 큐 {queue}이(가) 정지되어 있습니다({reason}). 운영자가 재개하면 계속됩니다.",
  },
  "queue.stopped-by-failure": {
    en: "Queue {queue} stopped at {since|time} because job {failedJob} failed ({reason}): retry or skip that job, then resume the queue.",
    ko: "작업 {failedJob}이(가) 실패해({reason}) {since|time}에 큐 {queue}이(가) 정지되었습니다. 그 작업을 재시도하거나 건너뛴 뒤 큐를 재개하세요.",
  },
  "queue.stopped-without-failed-job": {
    en: "Queue {queue} stopped at {since|time} because job {failedJob} failed ({reason}). That job needs no decision now: repair the cause, then resume the queue.",
    ko: "작업 {failedJob}이(가) 실패해({reason}) {since|time}에 큐 {queue}이(가) 정지되었습니다. 그 작업에 대해 결정할 일은 없으니 원인을 해결한 뒤 큐를 재개하세요.",
  },
  "queue.stopped-by-hand": {
    en: "Queue {queue} was stopped by {by} at {since|time} ({reason}): resume it.",
    ko: "{by}이(가) {since|time}에 큐 {queue}을(를) 정지했습니다({reason}). 큐를 재개하세요.",
  },
  "queue.degraded": {
    en: "The destination of queue {queue} has been failing since {since|time}: only the probe {probe} runs until it answers.",
    ko: "{since|time}부터 큐 {queue}의 대상에 장애가 있습니다. 응답할 때까지 점검 작업 {probe}만 실행됩니다.",
  },
  "queue.destination-sick": {
    en: "The destination of queue {queue} has been failing since {since|time}: the job runs when it answers again.",
    ko: "{since|time}부터 큐 {queue}의 대상에 장애가 있습니다. 대상이 다시 응답하면 실행됩니다.",
  },
  "queue.probe-next": {
    en: "It is the probe of the degraded queue {queue} and is the next to run.",
    ko: "대상 장애 상태인 큐 {queue}의 점검 작업이며 다음에 실행됩니다.",
  },
  "queue.no-worker": {
    en: "No worker processes queue {queue}: start one.",
    ko: "큐 {queue}을(를) 처리하는 워커가 없습니다. 워커를 시작하세요.",
  },
  "queue.concurrency": {
    en: "Queue {queue} runs at most {limit} {limit:job|jobs} at once, and {running} {running:is|are} running now; {ahead} {ahead:is|are} ahead of it.",
    ko: "큐 {queue}은(는) 동시에 최대 {limit}개를 실행하며 지금 {running}개가 처리 중입니다. 앞에 {ahead}개가 있습니다.",
  },
  "stage.concurrency": {
    en: "{others} {others:other is|others are} in stage {stage}, which takes {limit}.",
    ko: "단계 {stage}에는 동시에 {limit}개만 들어갈 수 있으며, 앞에 {others}개가 있습니다.",
  },
  "queue.tenant-concurrency": {
    en: "Queue {queue} runs at most {limit} {limit:job|jobs} of tenant {tenant} at once, and {running} {running:is|are} running now.",
    ko: "큐 {queue}은(는) 테넌트 {tenant}의 작업을 동시에 최대 {limit}개 실행하며 지금 {running}개가 처리 중입니다.",
  },
  "queue.rate": {
    en: "Queue {queue} starts at most {max} {max:job|jobs} in {duration} ms, and {started} {started:has|have} started.",
    ko: "큐 {queue}은(는) {duration}ms 동안 최대 {max}개를 시작하며 이미 {started}개를 시작했습니다.",
  },
  "line.running": {
    en: "Queue {queue} is serial, and job {by} is running now.",
    ko: "큐 {queue}은(는) 순차 큐이며 지금 작업 {by}이(가) 처리 중입니다.",
  },
  "line.backoff": {
    en: "Queue {queue} is serial and waits for job {by}, whose next attempt is at {until|time}.",
    ko: "큐 {queue}은(는) 순차 큐이며 {until|time}에 다시 시도할 작업 {by}을(를) 기다립니다.",
  },
  "line.ahead": {
    en: "{ahead} ready {ahead:job|jobs} of queue {queue} {ahead:is|are} ahead of it.",
    ko: "큐 {queue}에서 준비된 작업 {ahead}개가 앞에 있습니다.",
  },
  "line.waits": {
    en: "It waits for its turn in queue {queue}.",
    ko: "큐 {queue}에서 차례를 기다리고 있습니다.",
  },
  "line.next": {
    en: "It is next in queue {queue} and starts as soon as a worker has a free place.",
    ko: "큐 {queue}의 다음 작업입니다. 워커에 자리가 나는 대로 시작합니다.",
  },
  "job.running": {
    en: "Running since {since|time} on worker {worker}, attempt {attempt}.",
    ko: "{since|time}부터 워커 {worker}에서 처리 중입니다({attempt}번째 시도).",
  },
  "job.cancelling": {
    en: "It runs on worker {worker}, and {by} asked to cancel it: it ends when its handler returns.",
    ko: "워커 {worker}에서 처리 중이며 {by}이(가) 취소를 요청했습니다. 핸들러가 멈추면 끝납니다.",
  },
  "job.cancelling-at-boundary": {
    en: "It runs on worker {worker}, and {by} asked to cancel it: it ends when this stage ends.",
    ko: "워커 {worker}에서 처리 중이며 {by}이(가) 취소를 요청했습니다. 지금 단계가 끝나면 취소됩니다.",
  },
  "job.rolling-back": {
    en: "{by} cancelled it: worker {worker} has been rolling back stage {stage} since {since|time}.",
    ko: "{by}이(가) 취소했습니다. {since|time}부터 워커 {worker}에서 단계 {stage}을(를) 되돌리고 있습니다.",
  },
  "job.parked": {
    en: 'It waits for the event "{event}" from outside.',
    ko: '외부 이벤트 "{event}"을(를) 기다리고 있습니다.',
  },
  "job.parked-until": {
    en: 'It waits for the event "{event}" from outside, until {until|time}.',
    ko: '{until|time}까지 외부 이벤트 "{event}"을(를) 기다립니다.',
  },
  "job.done": { en: "Finished at {at|time}.", ko: "{at|time}에 완료되었습니다." },
  "job.failed": {
    en: "It failed after {attempts} {attempts:attempt|attempts} ({error}): retry or skip it.",
    ko: "{attempts}번 시도 후 실패했습니다({error}). 재시도하거나 건너뛰세요.",
  },
  "job.cancelled": { en: "It was cancelled by {by} ({reason}).", ko: "{by}이(가) 취소했습니다({reason})." },
  "job.skipped": {
    en: "It failed ({code}) and the queue's policy is to go on without it.",
    ko: "실패했고({code}) 큐 정책에 따라 건너뛰었습니다.",
  },
  "job.resolved": {
    en: "It was skipped by {by} ({reason}).",
    ko: "{by}이(가) 건너뛰었습니다({reason}).",
  },
  "job.aborting": {
    en: "Running on worker {worker}; {by} asked to abort it at {since|time} ({reason}). It stops at its next chunk boundary.",
    ko: "워커 {worker}에서 처리 중이며 {by}이(가) {since|time}에 중단을 요청했습니다({reason}). 다음 청크 경계에서 멈춥니다.",
  },
  "job.walking": {
    en: "Running since {since|time} on worker {worker}: {processed} of {total} items are processed.",
    ko: "{since|time}부터 워커 {worker}에서 처리 중입니다. 전체 {total}개 중 {processed}개를 처리했습니다.",
  },
  "job.throttled": {
    en: "Running since {since|time} on worker {worker}, throttled: at most {perSecond} items per second ({ofQueue} for the whole queue), {pause} ms pause after each chunk. {processed} of {total} items are processed.",
    ko: "{since|time}부터 워커 {worker}에서 속도 제한으로 처리 중입니다. 초당 최대 {perSecond}개(큐 전체 {ofQueue}개), 청크마다 {pause}ms 쉽니다. 전체 {total}개 중 {processed}개를 처리했습니다.",
  },
  "job.slowed": {
    en: "Running since {since|time} on worker {worker}, slowed down: the database takes {average} ms per chunk, more than the limit of {limit} ms. {processed} of {total} items are processed.",
    ko: "{since|time}부터 워커 {worker}에서 속도를 늦춰 처리 중입니다. 데이터베이스가 청크당 {average}ms 걸려 한도 {limit}ms를 넘었습니다. 전체 {total}개 중 {processed}개를 처리했습니다.",
  },
  "job.aborted": {
    en: "Aborted by {by} ({reason}) after {processed} of {total} items; it can be resumed from its cursor.",
    ko: "{by}이(가) 중단했습니다({reason}). 전체 {total}개 중 {processed}개를 처리했으며 커서부터 재개할 수 있습니다.",
  },
};

export function sentence(rule: string, facts: Record<string, unknown>, language: Language): string {
  const template = WHY_SENTENCES[rule]?.[language] ?? rule;
  const timed = template.replace(/\{(\w+)\|time\}/g, (_, name: string) => {
    const value = facts[name];
    return typeof value === "number" ? new Date(value).toISOString() : `{${name}}`;
  });
  return filledIn(timed, facts, () => "-");
}
