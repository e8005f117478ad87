# The commands of this project, for people and for CI.
#
#   make demo      install what is missing, build, then draw, warp and plot a sample clip
#   make test      install what is missing and run every test
#   make test-core run what needs no browser: for every few minutes

SWIFT ?= swift
export SWIFT
DEMO_DIR ?= demo
TIMEWARP = .build/release/timewarp

.PHONY: cluster engines help deps build build-tests demo test test-core test-tools test-ready damage interrupt fuzz sanitize lint format bench docs pictures examples story studio install uninstall package wheel clean

help:
	@grep -E '^#   make' Makefile | sed 's/^#   //'
	@echo 'make build     build the program, optimised: $(TIMEWARP)'
	@echo 'make build-tests  build the program and the tests'
	@echo 'make examples  render every example curve from the sample clip'
	@echo 'make pictures  make the images of the README again'
	@echo 'make story     build a small interactive video from the sample clip, and open it'
	@echo 'make studio    open the studio in your browser'
	@echo 'make damage    damage clips in a thousand ways and count what timewarp makes of them'
	@echo 'make interrupt kill commands at a hundred random instants, run them on thirty failing disks, and count'
	@echo 'make bench     measure kernels and whole commands, and write Benchmarks/RESULTS.md'
	@echo 'make engines   run every browser test in Firefox and WebKit'
	@echo 'make fuzz      fuzz every parser of untrusted input, FUZZ_SECONDS (60) each'
	@echo 'make sanitize  run the tests under the address sanitizer and the thread sanitizer'
	@echo 'make lint      check format, arrows, types and styles of the pages, and scripts; make format corrects it'
	@echo 'make docs      build the library reference and guides as a static site, in .build/docs'
	@echo 'make install   install program, manual and completions under PREFIX (default /usr/local); make uninstall'
	@echo 'make wheel     build the Python wheel with all it needs, in .build/wheel'
	@echo 'make package   build a Debian package for this release of Debian or Ubuntu, in .build/package'

deps:
	@Scripts/install-deps

# The program, the tests and the benchmarks share one build. It is optimised, because many tests do
# arithmetic over minutes of sound, and it makes internal declarations visible to the tests.
BUILD = -c release --traits Program --disable-index-store -Xswiftc -enable-testing \
	$$(Scripts/commit-flags)

build: deps
	$(SWIFT) build $(BUILD) --product timewarp

demo: build
	$(TIMEWARP) demo $(DEMO_DIR) --overwrite

build-tests: deps
	$(SWIFT) build $(BUILD) --build-tests

test-tools:
	@Scripts/install-test-tools

# While the program is built, what runs the tests is installed: that mostly waits.
test-ready: deps
	@$(MAKE) --no-print-directory -j2 build test-tools

test: test-ready
	@Scripts/run-tests $(BUILD)

# What lies below the pages, and the pages' modules.
test-core: test-ready
	@TEST_ONLY='^core$$' Scripts/run-tests $(BUILD)

# Damages clips of many formats in more than a thousand ways; takes some minutes.
damage: build
	python3 -B Tests/Trust/damage.py $(TIMEWARP)

# Ends commands at a hundred random instants, and runs them on thirty failing disks; takes some minutes.
interrupt: build
	cd Tests/Trust && TIMEWARP=$(CURDIR)/$(TIMEWARP) python3 -B interruption.py

# Every browser test in Firefox and WebKit, of which `make test` runs what each engine must do; takes about 40 minutes.
engines: build
	@Scripts/install-test-tools
	@TEST_ENGINES=whole TEST_ONLY='^(firefox|webkit)$$' Scripts/run-tests $(BUILD)

# Coverage-guided fuzzing with libFuzzer and the address sanitizer. FUZZ_TARGETS="formula story" runs only those.
fuzz: deps
	Scripts/fuzz

# The same tests under each sanitizer, each in its own build folder. Scripts/sanitize says what is skipped.
sanitize: deps
	@Scripts/install-test-tools
	Scripts/sanitize address
	Scripts/sanitize thread

FORMATTED = Package.swift Plugins Sources Tests Examples Benchmarks Fuzzing

# Makes the README's images, with the tests' browser.
pictures: build
	@Scripts/install-test-tools
	.build/test-python/bin/python -B Scripts/readme-pictures

lint:
	@Scripts/lint-words
	@Scripts/lint-arrows
	@Scripts/lint-pages
	@Scripts/lint-scripts
	$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)

format:
	$(SWIFT) format --in-place --recursive --parallel $(FORMATTED)

bench: build
	@Scripts/bench

# Set DOCS_BASE_PATH=that/path for a site that isn't served at its server's root.
docs: deps
	@Scripts/docs

examples: demo
	Examples/render-all $(TIMEWARP) $(DEMO_DIR)/sample.mp4 $(DEMO_DIR)/examples

# Renders a job under a real Slurm with four nodes on this machine, also with failures. Needs root and Slurm's packages:
# see Tests/Cluster/slurm-run.
cluster: demo
	Tests/Cluster/slurm-run $(TIMEWARP) $(DEMO_DIR)/sample.mp4

# Builds a story from the sample clip and plays it in the browser. Ctrl-C ends it.
story: build
	@[ -f $(DEMO_DIR)/sample.mp4 ] || $(TIMEWARP) demo $(DEMO_DIR)
	cp Examples/stories/clock.json Examples/stories/clock.en.vtt $(DEMO_DIR)
	$(TIMEWARP) story build $(DEMO_DIR)/clock.json -o $(DEMO_DIR)/story --overwrite
	$(TIMEWARP) story play $(DEMO_DIR)/story

# Ctrl-C ends it.
studio: build
	$(TIMEWARP) studio --open

# Installs program, manual and completions. DESTDIR is put before PREFIX.
PREFIX ?= /usr/local
install: build
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install $(TIMEWARP)

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install --remove

package: deps
	Scripts/package

wheel: deps
	Scripts/wheel

clean:
	rm -rf .build .build-fuzz .build-asan .build-tsan $(DEMO_DIR)
