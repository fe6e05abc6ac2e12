# Each target installs and builds what it needs. `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help setup run built stage1-run stage1-run-no-static stage2-profile stage-all-run direct-infer-dev20 test test-python bench fuzz hostile scale scale-slurm format lint clean

FUZZ_SECONDS ?= 60
HOSTILE_ROUNDS ?= 25
# libtorch: Debian's, that of pip ("pip"), or the folder of another one (docs/nvidia.md).
TORCH ?=
TORCH_DIR = $(if $(filter pip,$(TORCH)),$(CURDIR)/build/torch/libtorch,$(TORCH))
TORCH_GROUP = $(if $(filter pip,$(TORCH)),torch-pip,$(if $(TORCH),,torch))
SCALE_PAGES ?= 1000
SCALE_KILLS ?= 20
PYTHON_TESTS ?= module_test call_test compile_test generation_test program_test stages_test
SCALE_JOBS ?= 500
RIDGELINE := ./build/release/src/app/ridgeline
TEST_RESULTS := $(CURDIR)/build/test/tests.xml

# C++ and web sources, tracked or new.
CXX_FILES = git ls-files --cached --others --exclude-standard '*.h' '*.cc' '*.ts' '*.mjs' | sort -u

help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 29

setup: ## Install missing build dependencies (the only target that may need root)
	@scripts/setup.sh build web

run: ## Build, then profile the built-in model on the demo pages
	@scripts/setup.sh build web nsight $(TORCH_GROUP)
	@cmake --preset release --log-level=WARNING -DRIDGELINE_TORCH_DIR=$(TORCH_DIR) >&2
	@cmake --build --preset release >&2
	$(RIDGELINE) run +preset=demo pipeline.nsys.enable=true

# Tasks of llm-perf-opt under their names; ARGS are overrides (docs/migrating.md).
BIN := ./build/release/src/app
ifndef RUN_ID
RUN_ID := $(shell date +%Y%m%d-%H%M%S)
endif
STAGE1 = dataset.subset_filelist=datasets/omnidocbench/subsets/dev-20.txt infer.max_new_tokens=64 \
  dataset.sampling.num_epochs=1 dataset.sampling.num_samples_per_epoch=3 dataset.sampling.randomize=false

built:
	@test -x $(RIDGELINE) || { echo "not built yet: run 'make run' first" >&2; exit 1; }

stage1-run: built ## Task of llm-perf-opt (docs/migrating.md): static analysis and operators
	$(BIN)/llm_profile_runner $(STAGE1) $(ARGS)

stage1-run-no-static: built ## The same without static analysis
	$(BIN)/llm_profile_runner $(STAGE1) pipeline.static_analysis.enable=false $(ARGS)

stage2-profile: built ## Task of llm-perf-opt: nsys capture
	$(BIN)/deep_profile_runner pipeline.ncu.enable=false $(ARGS)

stage-all-run: built ## Both in one run directory
	$(BIN)/llm_profile_runner hydra.run.dir=tmp/profile-output/$(RUN_ID) $(STAGE1) \
	  pipeline.torch_profiler.output.prediction.enable=true $(ARGS)
	$(BIN)/deep_profile_runner hydra.run.dir=tmp/profile-output/$(RUN_ID) pipeline.ncu.enable=false $(ARGS)

direct-infer-dev20: built ## Task of llm-perf-opt: inference only, all pages of dev-20
	$(BIN)/direct_inference_runner dataset.subset_filelist=datasets/omnidocbench/subsets/dev-20.txt \
	  pipeline.direct_inference.output.prediction.enable=true $(ARGS)

test: ## Debug build, all tests
	@scripts/setup.sh build web browser nsight python slurm mpi $(TORCH_GROUP)
	cmake --preset test --log-level=WARNING -DRIDGELINE_TORCH_DIR=$(TORCH_DIR)
	cmake --build --preset test
	@status=0; ctest --preset test --output-junit $(TEST_RESULTS) || status=$$?; \
	  node scripts/test_summary.mjs $(TEST_RESULTS); exit $$status

# Those of `make test` use Debian's PyTorch, which has no torch.compile and no transformers.
test-python: ## Test the Python agent with PyTorch and transformers from pip
	@scripts/setup.sh build web nsight transformers
	cmake --preset test --log-level=WARNING -DRIDGELINE_TORCH_DIR=$(TORCH_DIR)
	cmake --build --preset test --target ridgeline ridgeline_nvtx_injection
	RIDGELINE_PROGRAM=$(CURDIR)/build/test/src/app/ridgeline \
	  RIDGELINE_PYTHON_AGENT=$(CURDIR)/build/test/src/app/ridgeline-python \
	  RIDGELINE_NVTX_LIBRARY=$(CURDIR)/build/test/src/app/libridgeline-nvtx.so \
	  ./build/torch/venv/bin/python tests/python/run.py $(PYTHON_TESTS)

bench: setup ## Build and run the benchmarks (BENCH_ARGS are passed on)
	cmake --preset bench --log-level=WARNING
	cmake --build --preset bench
	./build/bench/bench/ridgeline_bench $(BENCH_ARGS)

fuzz: ## Run each fuzz target for FUZZ_SECONDS (60); FUZZ_TARGETS selects some
	@scripts/setup.sh build web fuzz
	cmake --preset fuzz --log-level=WARNING
	cmake --build --preset fuzz
	FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz.sh $(FUZZ_TARGETS)

hostile: setup ## Broken tools, kills, mutated inputs, no resources: HOSTILE_ROUNDS (25) of each
	cmake --preset test --log-level=WARNING
	cmake --build --preset test --target ridgeline hostile_tests
	HOSTILE_ROUNDS=$(HOSTILE_ROUNDS) ./build/test/tests/hostile/hostile_tests --gtest_brief=1

scale: ## SCALE_PAGES (1000) pages, 7 of them broken, and SCALE_KILLS (20) kills
	@scripts/setup.sh build web torch
	cmake --preset test --log-level=WARNING
	cmake --build --preset test --target ridgeline ridgeline-model run_tests
	RIDGELINE_SCALE_PAGES=$(SCALE_PAGES) RIDGELINE_SCALE_KILLS=$(SCALE_KILLS) \
	  ./build/test/tests/run/run_tests --gtest_filter='Pages.*'

scale-slurm: ## SCALE_JOBS (500) jobs of a sweep on Slurm, and its time limits; needs root
	@scripts/setup.sh build web slurm
	cmake --preset test --log-level=WARNING
	cmake --build --preset test --target ridgeline slurm_tests
	RIDGELINE_SLURM_JOBS=$(SCALE_JOBS) ./build/test/tests/slurm/slurm_tests \
	  --gtest_filter='*LosesNone*:*AnnouncesTheTimeLimit*'

format: ## Run clang-format on all sources
	@scripts/setup.sh lint
	$(CXX_FILES) | xargs -r clang-format -i

lint: ## Check the formatting and run clang-tidy
	@scripts/setup.sh build web lint fuzz
	$(CXX_FILES) | xargs -r clang-format --dry-run --Werror
	cmake --preset tidy --log-level=WARNING
	cmake --build --preset tidy

clean: ## Remove all build directories
	rm -rf build
