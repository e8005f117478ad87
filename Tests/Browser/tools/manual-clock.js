// Timers that stand still until a test lets time pass: nothing has to be waited for.

globalThis.manualClock = (() => {
    const { setTimeout: realStart, clearTimeout: realClear } = globalThis;
    let now = 0, timers = [], last = 0;

    /** Numbers below zero: the browser's own timers can't have them. */
    function start(act, delay = 0, ...given) {
        last -= 1;
        timers.push({ number: last, at: now + delay, act: () => act(...given) });
        return last;
    }

    function clear(number) {
        timers = timers.filter((each) => each.number !== number);
        realClear(number);
    }

    return {
        /** Timers that are started from now on are this clock's. */
        install() {
            Object.assign(globalThis, { setTimeout: start, clearTimeout: clear });
        },
        /** Lets this many milliseconds pass, and does what is due meanwhile, in its order. */
        pass(time) {
            const end = now + time;
            for (;;) {
                const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at).at(0);
                if (!due) break;
                timers = timers.filter((each) => each !== due);
                now = due.at;
                due.act();
            }
            now = end;
        },
        /** Timers are the browser's again; those that stand still are left to it. */
        remove() {
            Object.assign(globalThis, { setTimeout: realStart, clearTimeout: realClear });
            for (const { at, act } of timers) realStart(act, at - now);
            timers = [];
        },
    };
})();
