require 'rails'
require 'action_controller/railtie'
require 'active_job/railtie'
require 'active_record/railtie'

class Application < Rails::Application
  config.load_defaults 6.1
  config.root = File.dirname(__dir__)
  config.api_only = true
  config.eager_load = true
  config.logger = ActiveSupport::Logger.new($stdout)
  config.log_level = :warn
  config.secret_key_base = SecureRandom.hex(64) # For a trial: this application has no sessions.
  # Jobs run in threads of this process. What they have not done when it ends, the next one does.
  config.active_job.queue_adapter = :async

  config.after_initialize do
    ActiveRecord::Tasks::DatabaseTasks.migrate # For a trial. A deployment runs `rails db:migrate`.
    handle = -> { WebhooksController::HandleJob.perform_later }
    handle.call
    Concurrent::TimerTask.execute(execution_interval: 60, &handle)
  end
end
