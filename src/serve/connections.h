// The connections of a server: how many, how long, and how they end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>

namespace ridgeline::serve {

// Thread-safe. Clients that connect and say nothing, or one byte now and then, must
// neither keep others from being answered nor the program from ending.
class Connections {
  struct Entry {
    int socket = -1;
    bool is_answered = false;  // The answer has begun.
    bool is_closing = false;
  };

 public:
  // Answered at the same time. Of more, the oldest ones without a whole request are
  // closed.
  static constexpr size_t kMost = 64;
  // For the whole request; also for a client to take the next part of the answer.
  static constexpr std::chrono::seconds kPatience{10};

  // One of them, used by one thread, which closes the socket when it is done with it.
  class Connection {
   public:
    Connection(Connections& all, int socket);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Up to `size` bytes of the request; 0: it ended, -1: it did not come in time.
    ssize_t Read(char* bytes, size_t size);
    ssize_t Write(const char* bytes, size_t size);

   private:
    using Clock = std::chrono::steady_clock;
    bool WaitFor(short events, Clock::time_point until) const;

    Connections& all_;
    const int socket_;
    const Clock::time_point request_until_ = Clock::now() + kPatience;
    std::list<Entry>::iterator entry_;
  };

  // A client was accepted; a thread will have a Connection of it, sooner or later.
  void Expect();
  // Ends all connections, also those that are still expected.
  void Stop();

 private:
  void MakeRoom();

  std::mutex mutex_;
  std::list<Entry> open_;  // The oldest first.
  size_t expected_ = 0;    // Accepted and not closed, `open_` included.
  size_t closing_ = 0;     // Of those, asked to close.
  bool is_stopped_ = false;
};

}  // namespace ridgeline::serve
